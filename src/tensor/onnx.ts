/**
 * Writes ONNX models, which are protocol buffers. It has only what this project's graphs need; the
 * numbers are the field numbers of onnx.proto3. Weights are appended as further pieces of the graph
 * message, which protobuf readers merge, so that they are copied once and not at every nesting level.
 */

import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import type { ElementType, Shape } from "./shape.js";

const IR_VERSION = 9;
const OPSETS = [
  ["", 20],
  ["com.microsoft", 1],
] as const;

const ELEMENT_CODE: Readonly<Record<ElementType, number>> = {
  float32: 1,
  uint8: 2,
  int8: 3,
  int32: 6,
  int64: 7,
};

export type Attribute = number | string | readonly number[] | { readonly float: number };
export type Attributes = Readonly<Record<string, Attribute>>;

export interface Node {
  readonly operator: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly name: string;
  readonly attributes: Attributes;
  readonly domain: string;
}

export interface Port {
  readonly name: string;
  readonly type: ElementType;
  /** Absent for a sequence, which has no shape. */
  readonly shape: Shape | undefined;
}

export interface Initialiser {
  readonly name: string;
  readonly type: ElementType;
  readonly dims: readonly number[];
  readonly bytes: Uint8Array;
}

export interface Model {
  readonly name: string;
  readonly nodes: readonly Node[];
  readonly inputs: readonly Port[];
  readonly outputs: readonly Port[];
  readonly initialisers: readonly Initialiser[];
}

export function encodeModel(model: Model): Uint8Array {
  const head = new BinaryWriter();
  head.tag(1, WireType.Varint).int64(IR_VERSION);
  head.tag(2, WireType.LengthDelimited).string("bracken");
  for (const [domain, version] of OPSETS) {
    if (domain !== "" && !model.nodes.some((node) => node.domain === domain)) continue;
    message(head, 8, (opset) => {
      opset.tag(1, WireType.LengthDelimited).string(domain);
      opset.tag(2, WireType.Varint).int64(version);
    });
  }
  message(head, GRAPH, (graph) => {
    for (const node of model.nodes) message(graph, 1, (writer) => writeNode(writer, node));
    graph.tag(2, WireType.LengthDelimited).string(model.name);
    for (const port of model.inputs) message(graph, 11, (writer) => writePort(writer, port));
    for (const port of model.outputs) message(graph, 12, (writer) => writePort(writer, port));
  });
  return concatenate([head.finish(), ...model.initialisers.flatMap(initialiserChunks)]);
}

const GRAPH = 7;
const RAW_DATA = 9;

function message(writer: BinaryWriter, field: number, write: (inner: BinaryWriter) => void): void {
  writer.tag(field, WireType.LengthDelimited).fork();
  write(writer);
  writer.join();
}

function writeNode(writer: BinaryWriter, node: Node): void {
  for (const input of node.inputs) writer.tag(1, WireType.LengthDelimited).string(input);
  for (const output of node.outputs) writer.tag(2, WireType.LengthDelimited).string(output);
  writer.tag(3, WireType.LengthDelimited).string(node.name);
  writer.tag(4, WireType.LengthDelimited).string(node.operator);
  for (const [name, value] of Object.entries(node.attributes)) {
    message(writer, 5, (attribute) => writeAttribute(attribute, name, value));
  }
  writer.tag(7, WireType.LengthDelimited).string(node.domain);
}

function writeAttribute(writer: BinaryWriter, name: string, value: Attribute): void {
  writer.tag(1, WireType.LengthDelimited).string(name);
  if (typeof value === "number") {
    writer.tag(3, WireType.Varint).int64(value).tag(20, WireType.Varint).int32(2);
  } else if (typeof value === "string") {
    const bytes = new TextEncoder().encode(value);
    writer.tag(4, WireType.LengthDelimited).bytes(bytes).tag(20, WireType.Varint).int32(3);
  } else if ("float" in value) {
    writer.tag(2, WireType.Bit32).float(value.float).tag(20, WireType.Varint).int32(1);
  } else {
    for (const item of value) writer.tag(8, WireType.Varint).int64(item);
    writer.tag(20, WireType.Varint).int32(7);
  }
}

function writePort(writer: BinaryWriter, { name, type, shape }: Port): void {
  writer.tag(1, WireType.LengthDelimited).string(name);
  message(writer, 2, (value) => {
    if (shape) return writeTensorType(value, type, shape);
    message(value, 4, (sequence) =>
      message(sequence, 1, (element) => writeTensorType(element, type, undefined)),
    );
  });
}

function writeTensorType(writer: BinaryWriter, type: ElementType, shape: Shape | undefined): void {
  message(writer, 1, (tensor) => {
    tensor.tag(1, WireType.Varint).int32(ELEMENT_CODE[type]);
    if (!shape) return;
    message(tensor, 2, (dims) => {
      for (const dim of shape) {
        message(dims, 1, (writer) => {
          if (typeof dim === "number") writer.tag(1, WireType.Varint).int64(dim);
          else writer.tag(2, WireType.LengthDelimited).string(dim);
        });
      }
    });
  });
}

/** `graph { initializer { dims data_type name raw_data } }`, the data itself left where it is. */
function initialiserChunks({ name, type, dims, bytes }: Initialiser): Uint8Array[] {
  const tensor = new BinaryWriter();
  for (const dim of dims) tensor.tag(1, WireType.Varint).int64(dim);
  tensor.tag(2, WireType.Varint).int32(ELEMENT_CODE[type]);
  tensor.tag(8, WireType.LengthDelimited).string(name);
  tensor.tag(RAW_DATA, WireType.LengthDelimited).uint32(bytes.length);
  const fields = tensor.finish();
  const inGraph = lengthPrefix(5, fields.length + bytes.length);
  const inModel = lengthPrefix(GRAPH, inGraph.length + fields.length + bytes.length);
  return [inModel, inGraph, fields, bytes];
}

function lengthPrefix(field: number, length: number): Uint8Array {
  return new BinaryWriter().tag(field, WireType.LengthDelimited).uint32(length).finish();
}

function concatenate(chunks: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(chunks.reduce((length, chunk) => length + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}
