/** A Redis of a test's own, on a free port of this machine, with an append-only file so that it survives being killed. */

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { connect, createServer, type Server, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

export const REDIS = ["redis-server", "valkey-server"].find(
  (name) => spawnSync(name, ["--version"]).status === 0,
);

export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

export class TestRedis {
  readonly port: number;
  readonly #folder: string;
  readonly #hosts: readonly string[];
  #child: ChildProcess | undefined;

  private constructor(port: number, folder: string, hosts: readonly string[]) {
    this.port = port;
    this.#folder = folder;
    this.#hosts = hosts;
  }

  /** @param hosts further addresses of this machine at which it answers. */
  static async start(folder: string, hosts: readonly string[] = []): Promise<TestRedis> {
    const redis = new TestRedis(await freePort(), folder, hosts);
    await redis.start();
    return redis;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  /** Starts it, or starts it again with what it had on disk. */
  async start(): Promise<void> {
    const settings = ["--port", `${this.port}`, "--dir", this.#folder];
    // Without a password it would refuse all but the first address.
    const open = ["--bind", "127.0.0.1", ...this.#hosts, "--protected-mode", "no"];
    const durable = ["--appendonly", "yes", "--appendfsync", "always", "--save", ""];
    this.#child = spawn(REDIS as string, [...settings, ...open, ...durable], { stdio: "ignore" });
    while (!(await answers(this.port))) await sleep(20);
  }

  async kill(): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    await ended;
  }
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => socket.write("PING\r\n"));
    const end = (isThere: boolean) => {
      socket.destroy();
      resolve(isThere);
    };
    // While it loads its file, it answers with an error.
    socket.once("data", (data) => end(data.toString().startsWith("+PONG")));
    socket.once("error", () => end(false));
  });
}

/** A way to a server that can be cut: then nothing passes, and nobody is told. */
export class Cable {
  readonly port: number;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #isCut = false;

  private constructor(server: Server) {
    this.#server = server;
    this.port = (server.address() as { port: number }).port;
  }

  static async to(port: number): Promise<Cable> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const cable = new Cable(server);
    server.on("connection", (near) => cable.#join(near, connect(port, "127.0.0.1")));
    return cable;
  }

  #join(near: Socket, far: Socket): void {
    const ways = [
      [near, far],
      [far, near],
    ] as const;
    for (const [from, to] of ways) {
      this.#sockets.add(from);
      from.on("error", () => {});
      from.on("close", () => {
        this.#sockets.delete(from);
        to.destroy();
      });
      if (!this.#isCut) from.pipe(to);
    }
  }

  cut(): void {
    this.#isCut = true;
    for (const socket of this.#sockets) socket.unpipe().pause();
  }

  /** What was on the way is lost with its connections. */
  mend(): void {
    this.#isCut = false;
    for (const socket of this.#sockets) socket.destroy();
  }

  close(): void {
    this.mend();
    this.#server.close();
  }
}
