/** A network of a test's own: a namespace of the kernel, joined to this machine by a cable that can be pulled. */

import { spawnSync } from "node:child_process";

function ip(...args: string[]): boolean {
  return spawnSync("ip", args).status === 0;
}

export class Network {
  /** The address at which processes in the network find this machine. */
  readonly host: string;
  readonly #name: string;
  readonly #plug: string;

  private constructor(name: string, host: string) {
    this.#name = name;
    this.#plug = `${name}-out`;
    this.host = host;
  }

  /** Undefined where this user may not make one. */
  static open(): Network | undefined {
    // Names of cards have at most 15 characters; two test runs at once have different numbers.
    const number = process.pid % 250;
    const network = new Network(`brk${process.pid}`, `10.231.${number}.1`);
    const { host } = network;
    const [name, plug] = [network.#name, network.#plug];
    const inside = (...args: string[]) => ip("-n", name, ...args);
    const isMade =
      process.getuid?.() === 0 &&
      ip("netns", "add", name) &&
      ip("link", "add", plug, "type", "veth", "peer", "name", "out", "netns", name) &&
      ip("address", "add", `${host}/24`, "dev", plug) &&
      ip("link", "set", plug, "up") &&
      inside("address", "add", `10.231.${number}.2/24`, "dev", "out") &&
      inside("link", "set", "out", "up") &&
      inside("link", "set", "lo", "up");
    if (isMade) return network;
    network.close();
    return undefined;
  }

  /** Stands before a command that is to run in it. */
  get enter(): string[] {
    return ["ip", "netns", "exec", this.#name];
  }

  cut(): void {
    ip("link", "set", this.#plug, "down");
  }

  mend(): void {
    ip("link", "set", this.#plug, "up");
  }

  close(): void {
    ip("link", "delete", this.#plug);
    ip("netns", "delete", this.#name);
  }
}
