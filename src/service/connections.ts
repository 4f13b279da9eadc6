/**
 * Keeps idle connections from crowding out busy ones. A connection is idle until the headers of its
 * request have arrived, and again between requests. If there are too many, the one that has been idle
 * longest is closed for the new one, so thousands of silent sockets do no harm.
 */

import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

export class Connections {
  readonly #most: number;
  /** In the order in which they became idle. */
  readonly #idle = new Set<Socket>();
  /** How many requests of each are being answered: there may be several behind each other. */
  readonly #busy = new Map<Socket, number>();

  constructor(server: Server, most: number) {
    this.#most = most;
    server.on("connection", (socket: Socket) => this.#admit(socket));
    server.on("request", ({ socket }: IncomingMessage, response: ServerResponse) => {
      this.#idle.delete(socket);
      this.#busy.set(socket, (this.#busy.get(socket) ?? 0) + 1);
      response.once("close", () => this.#rest(socket));
    });
  }

  get open(): number {
    return this.#idle.size + this.#busy.size;
  }

  #admit(socket: Socket): void {
    socket.once("close", () => {
      this.#idle.delete(socket);
      this.#busy.delete(socket);
    });
    this.#idle.add(socket);
    if (this.open <= this.#most) return;
    for (const oldest of this.#idle) {
      this.#idle.delete(oldest);
      oldest.destroy();
      break;
    }
  }

  #rest(socket: Socket): void {
    const requests = this.#busy.get(socket);
    if (requests === undefined) return;
    if (requests > 1) {
      this.#busy.set(socket, requests - 1);
      return;
    }
    this.#busy.delete(socket);
    if (!socket.destroyed) this.#idle.add(socket);
  }
}
