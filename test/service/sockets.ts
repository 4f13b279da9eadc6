/** Connections to a service at the level of bytes, for clients that are slow, silent or gone. */

import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** A connection, with what has come over it. */
export interface Client extends Socket {
  received: string;
}

interface ClientOptions {
  /** Whether it reads what comes; true by default. */
  readonly reads?: boolean;
  /** Whether it stays open when the other side has ended. */
  readonly allowHalfOpen?: boolean;
}

/** Opens a connection, which ends with the test, and sends the bytes. */
export async function openClient(
  port: number,
  bytes = "",
  { reads = true, allowHalfOpen = false }: ClientOptions = {},
): Promise<Client> {
  const socket = Object.assign(connect({ port, host: "127.0.0.1", allowHalfOpen }), {
    received: "",
  });
  onTestFinished(() => {
    socket.destroy();
  });
  await once(socket, "connect");
  socket.on("error", () => {});
  if (reads) {
    socket.on("data", (chunk) => {
      socket.received += chunk;
    });
  }
  if (bytes) socket.write(bytes);
  return socket;
}

/** The head of a request whose body is announced to have this many bytes. */
export function postHead(path: string, length: number): string {
  return `POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`;
}
