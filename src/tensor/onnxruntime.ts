/**
 * The types behind `#onnxruntime`: the part of ONNX Runtime's interface that is used here. Its own
 * types need the DOM library, and its package beside every program compiled against this one. What
 * computes is runtime.ts under Node, onnxruntime-web elsewhere (package.json, "imports").
 */

export type TensorData = Float32Array | Int32Array | Int8Array | Uint8Array | BigInt64Array;

export interface Tensor {
  readonly type: string;
  readonly data: TensorData;
  readonly dims: readonly number[];
}

export interface InferenceSession {
  readonly outputNames: readonly string[];
  run(
    feeds: Readonly<Record<string, Tensor>>,
    fetches: readonly string[],
  ): Promise<Readonly<Record<string, Tensor>>>;
  release(): Promise<void>;
}

export declare const Tensor: new (
  type: string,
  data: TensorData,
  dims: readonly number[],
) => Tensor;

export declare const InferenceSession: {
  create(model: Uint8Array, options: object): Promise<InferenceSession>;
};

export declare const env: { readonly wasm: { numThreads?: number; wasmPaths?: string } };
