const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
worker.onmessage = ({ data }) => {
  document.querySelector("p").textContent = data;
};
worker.postMessage("He left.");
