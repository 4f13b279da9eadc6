/**
 * The headers of every response. The page may load its own scripts, workers and WebAssembly and connect
 * to its own host, and nothing else. It is isolated from other origins, which gives it threads.
 */

export const SECURITY_HEADERS = {
  "content-security-policy": [
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    "worker-src 'self' blob:",
    "connect-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; "),
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-embedder-policy": "require-corp",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
} as const;

/** A client's own request id, where it is harmless to repeat and to log. */
export function saneRequestId(given: unknown): string | undefined {
  return typeof given === "string" && /^[\w.:-]{1,128}$/.test(given) ? given : undefined;
}
