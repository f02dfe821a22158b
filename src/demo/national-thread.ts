import { parentPort, workerData } from 'node:worker_threads'
import { makeRows, type Portion, type Setting } from './national-rows.ts'

// The thread of `national.ts`: takes portions of people and answers their rows as text for COPY.
const setting = workerData as Setting
parentPort?.on('message', (portion: Portion) => {
  parentPort?.postMessage(makeRows(setting, portion))
})
