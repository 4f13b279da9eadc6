// Empties dist/ before a build, so that a renamed source file leaves no stale module behind to be packed.
import { rmSync } from "node:fs";

rmSync(new URL("../dist", import.meta.url), { recursive: true, force: true });
