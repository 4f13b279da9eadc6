// The parser starts worker threads and reads files beside its own: it must stay outside the bundle.

export default { serverExternalPackages: ["bracken"] };
