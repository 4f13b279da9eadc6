/** Goes through a data set away from the page, and tells from time to time what it has found. */

import { type Filter, type Findings, linesOf, Scan } from "./scan.js";

export interface ScanRequest {
  readonly id: number;
  readonly file: Blob;
  /** Whether the file is compressed. */
  readonly isPacked: boolean;
  readonly filter: Filter;
}

export type ScanAnswer =
  | { readonly kind: "unpacked"; readonly id: number; readonly file: Blob }
  | {
      readonly kind: "found";
      readonly id: number;
      readonly isOver: boolean;
      /** How much of the file has been read. */
      readonly share: number;
      readonly findings: Findings;
      /** Begin and end in the file of each line found since the last answer. */
      readonly places: Float64Array;
    }
  | { readonly kind: "failed"; readonly id: number; readonly problem: string };

const scope = globalThis as unknown as {
  onmessage: (event: MessageEvent<ScanRequest>) => void;
  postMessage(answer: ScanAnswer, transfer?: Transferable[]): void;
};

/** Milliseconds between two reports. */
const PAUSE = 200;
let latest = 0;

scope.onmessage = ({ data }) => {
  latest = data.id;
  scan(data).catch((error: unknown) =>
    scope.postMessage({ kind: "failed", id: data.id, problem: (error as Error).message }),
  );
};

async function scan({ id, file, isPacked, filter }: ScanRequest): Promise<void> {
  const plain = isPacked ? await unpack(file) : file;
  if (isPacked) scope.postMessage({ kind: "unpacked", id, file: plain });
  const scanning = new Scan(filter);
  let places: number[] = [];
  let [told, read] = [performance.now(), 0];
  const tell = (isOver: boolean) => {
    const share = isOver ? 1 : read / plain.size;
    const sent = Float64Array.from(places);
    const { findings } = scanning;
    scope.postMessage({ kind: "found", id, isOver, share, findings, places: sent }, [sent.buffer]);
    places = [];
    told = performance.now();
  };
  for await (const { text, begin, end } of linesOf(plain.stream())) {
    // Another search has taken this one's place.
    if (latest !== id) return;
    if (scanning.add(text)) places.push(begin, end);
    read = end;
    if (performance.now() - told > PAUSE) {
      tell(false);
      // So that a newer request is heard.
      await new Promise((resolve) => setTimeout(resolve));
    }
  }
  tell(true);
}

/** Lines are fetched again by their place, which a compressed file does not allow. */
function unpack(file: Blob): Promise<Blob> {
  return new Response(file.stream().pipeThrough(new DecompressionStream("gzip"))).blob();
}
