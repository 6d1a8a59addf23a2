// The page is committed as built, with names that do not change, so that a difference is a difference of content.
import { defineConfig } from 'vite';
import { svelte } from '@sveltejs/vite-plugin-svelte';

export default defineConfig({
  base: './',
  plugins: [svelte()],
  build: {
    outDir: '../dist',
    emptyOutDir: true,
    target: 'es2023',
    cssCodeSplit: false,
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: true,
    chunkSizeWarningLimit: 1000,
    rollupOptions: {
      output: {
        entryFileNames: 'page.js',
        chunkFileNames: (chunk) => (chunk.name === 'dist' ? 'graphviz-wasm.js' : '[name].js'),
        assetFileNames: '[name][extname]',
      },
    },
  },
});
