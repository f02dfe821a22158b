import { writeFileSync } from 'node:fs'

// Loaded into the server that is measured: at SIGUSR2 it collects its garbage and writes down what is left, in MiB.
process.on('SIGUSR2', () => {
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  writeFileSync(process.env.HEAP_FILE ?? '', String((heapUsed + external) / 1024 / 1024))
})
