import { preact } from "@preact/preset-vite";
import { defineConfig } from "vitest/config";

// Where `vite dev` finds the API: a running `truestep serve` or `npm run mock`.
const server = "http://127.0.0.1:8080";

export default defineConfig({
  plugins: [preact({ prefreshEnabled: false, devToolsEnabled: false })],
  base: "/",
  build: {
    outDir: "../dist",
    emptyOutDir: true,
    target: "es2022",
    cssTarget: ["chrome123", "firefox121", "safari17.5"], // the first versions of these browsers that support light-dark()
    sourcemap: false,
    assetsInlineLimit: 0, // the content policy allows no inlined scripts or styles, and data: only for images
    modulePreload: { polyfill: false },
    cssCodeSplit: false,
    reportCompressedSize: true,
  },
  server: { proxy: { "/api": { target: server, ws: true, changeOrigin: true } } },
  test: { include: ["test/**/*.test.ts"], environment: "node", css: true, testTimeout: 60_000 }, // ms, for a busy machine
});
