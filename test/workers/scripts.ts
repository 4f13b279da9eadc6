/** Modules to be started as workers. They import what is built, as workers do. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ROOT } from "../cli/run.js";

const built = (path: string) => JSON.stringify(pathToFileURL(join(ROOT, "dist", path)).href);

/** Writes a worker that runs `prepare` when it begins, and these statements for each request. */
export function writeScript(file: string, prepare: string, statements: readonly string[]): URL {
  writeFileSync(
    file,
    `import { existsSync, readFileSync, writeFileSync } from "node:fs";
     import { setTimeout } from "node:timers/promises";
     import { InputError, WorkFailure } from ${built("errors.js")};
     import { ServiceError } from ${built("service/service-error.js")};
     import { answerRequests } from ${built("workers/answer-requests.js")};
     const never = new Promise(() => {});
     /** Waits until a file is there, or nobody wants it any more. */
     async function opened(gate, signal) {
       while (!existsSync(gate)) {
         signal.throwIfAborted();
         await setTimeout(5);
       }
     }
     await answerRequests(async (data) => {
       ${prepare}
       return {
         async handle(request, { emit, signal }) {
           ${statements.join("\n")}
         },
       };
     });`,
  );
  return pathToFileURL(file);
}
