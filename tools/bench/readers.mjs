import { parentPort, workerData } from 'node:worker_threads'
import { call } from './call.mjs'

// Readers in a thread of their own: what keeps those who sign in busy must not delay the clock of those who read.
const { address, headers, readers, perSecond } = workerData
let times = []
let isOver = false

async function reader() {
  while (!isOver) {
    const begun = performance.now()
    const { status } = await call(address, { headers })
    if (status !== 200) throw new Error(`${address}: ${status}`)
    const took = performance.now() - begun
    times.push(took)
    await new Promise(resolve => setTimeout(resolve, 1000 / perSecond - took))
  }
}

const all = Promise.all(Array.from({ length: readers }, reader))
parentPort.on('message', async told => {
  // What was read so far warmed up the reader and its connections.
  if (told === 'count') {
    times = []
    return
  }
  isOver = true
  await all
  parentPort.postMessage(times)
})
