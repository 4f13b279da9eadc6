/** `GET` of the files of the page and of the models, from a list made when the service starts. */

import type { FastifyInstance } from "fastify";
import type { ServiceContext } from "../context.js";
import { openFile } from "../files.js";
import { ServiceError } from "../service-error.js";

export function filesRoute(app: FastifyInstance, { files }: ServiceContext): void {
  app.get<{ Params: { "*": string } }>("/*", {
    schema: { hide: true } as object,
    handler: async (request, reply) => {
      const file = files.get(`/${request.params["*"]}`);
      const opened = file && (await openFile(file));
      if (!file || !opened) throw new ServiceError(404, "not_found", "there is nothing here");
      const { handle, bytes, tag } = opened;
      reply.headers({ etag: tag, "cache-control": file.cache });
      if (request.headers["if-none-match"]?.includes(tag)) {
        await handle.close();
        return reply.code(304).send();
      }
      reply.headers({ "content-type": file.type, "content-length": bytes });
      return reply.send(handle.createReadStream());
    },
  });
}
