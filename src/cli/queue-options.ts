/** The options of the commands that use a queue. */

import { Option } from "commander";
import { InputError } from "../errors.js";
import { QUEUE_NAME } from "../plans/queue.js";

export function queueOption(): Option {
  return new Option(
    "--queue [address]",
    "a queue on Redis or Valkey: redis://host:port; without an address, the one in BRACKEN_QUEUE",
  );
}

export function queueNameOption(): Option {
  return new Option("--queue-name <name>", "name of the queue").default(QUEUE_NAME);
}

/** Passwords are better kept in the environment, which others cannot list. */
export function queueAddress(given: string | true): string {
  const address = given === true ? process.env.BRACKEN_QUEUE : given;
  if (address) return address;
  throw new InputError(
    "--queue has no address, and BRACKEN_QUEUE is not set",
    {},
    "give one: --queue redis://127.0.0.1:6379",
  );
}
