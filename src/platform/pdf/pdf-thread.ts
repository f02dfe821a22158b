import { parentPort } from 'node:worker_threads'
import { areObjectsFit } from './pdf-objects.ts'
import { isTextFit } from './pdf-text.ts'

/** Whether a document is one that can only be looked at. */
async function isFit(bytes: Uint8Array): Promise<boolean> {
  try {
    return isTextFit(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)) && (await areObjectsFit(bytes))
  } catch {
    return false
  }
}

// The thread of `pdf-check.ts`: says that it has started, takes documents, one at a time, and answers whether each is fit.
parentPort?.on('message', async (bytes: Uint8Array) => {
  parentPort?.postMessage(await isFit(bytes))
})
parentPort?.postMessage('started')
