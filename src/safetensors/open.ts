/** Opens a safetensors file on disk. Kept apart from the reader, which also runs in a browser. */

import { open } from "node:fs/promises";
import { InputError } from "../errors.js";
import { DAMAGED, SafetensorsFile } from "./reader.js";

export async function openSafetensors(file: string): Promise<SafetensorsFile> {
  const handle = await open(file).catch((error: Error) => {
    throw new InputError(error.message, { file }, "check that the file exists and is readable");
  });
  const { size } = await handle.stat();
  return SafetensorsFile.open({
    file,
    size,
    read: async (target, position) => {
      for (let done = 0; done < target.length; ) {
        const rest = target.length - done;
        const { bytesRead } = await handle.read(target, done, rest, position + done);
        if (bytesRead === 0) throw new InputError("the file ends too early", { file }, DAMAGED);
        done += bytesRead;
      }
    },
    close: () => handle.close(),
  });
}
