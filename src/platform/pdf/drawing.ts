import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { limitConcurrency } from '../queue/limit-concurrency.ts'
import { type FontPackage, fontPackages } from './font-packages.ts'
import type { unprintable } from './fonts.ts'
import { fontFolder, packageFolder } from './load.ts'
import { ownFontFiles, ownFontFolder } from './rare-glyphs.ts'

/** One document to be made. */
export interface DrawQuestion {
  name: keyof Makers
  document: unknown
}

/** Its bytes, or what went wrong. */
export type DrawAnswer = { bytes: Uint8Array } | { problem: string }

/**
 * What can be drawn, by the name of its maker. Each module adds its documents:
 * `declare module '…/platform/pdf/drawing.ts' { interface Makers { ticketPdf: typeof ticketPdf } }`.
 */
export interface Makers {
  unprintable: typeof unprintable
}

/** What a maker takes. */
export type Document<Name extends keyof Makers> = Parameters<Makers[Name]>[0]

/** The content of a document, without the time at which it is made. */
export type Undated<Content> = Content extends readonly (infer One)[]
  ? readonly Omit<One, 'madeAt'>[]
  : Omit<Content, 'madeAt'>

/** Megabytes of objects the thread may take, and milliseconds after which it is not needed: the fonts are large. */
const limits = { memory: 768, idle: 60_000 }

/** One document after the other: each takes a processor as long as it is made. */
const inTurn = limitConcurrency(1)

let kept: { worker: Worker; end: NodeJS.Timeout } | undefined

let program: () => Promise<string> = () => Promise.reject(new Error('No program makes documents.'))

/** Says which program runs in the thread: it hands all makers to `serveDrawings`. */
export function drawWith(code: () => Promise<string>): void {
  program = code
}

/** Where what the program of the thread finds when it runs stands. */
const foundFolders = (): string[] => [
  ...['pdfkit', 'fontkit'].map(packageFolder),
  ...(Object.keys(fontPackages) as FontPackage[]).map(fontFolder),
]

async function versionOf(folder: string): Promise<string> {
  const { name, version } = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8'))
  return `${name} ${version}`
}

let version: Promise<string> | undefined

/** What documents look like apart from their content: a digest of the program that draws them, and the versions of what it uses. */
export function drawingVersion(): Promise<string> {
  const own = () =>
    ownFontFiles().map(async file =>
      createHash('sha256')
        .update(await readFile(file))
        .digest('hex'),
    )
  version ??= Promise.all([program(), ...foundFolders().map(versionOf), ...own()]).then(parts =>
    createHash('sha256').update(parts.join('\n')).digest('hex'),
  )
  return version
}

async function startThread(): Promise<Worker> {
  const code = await program()
  const resourceLimits = { maxOldGenerationSizeMb: limits.memory }
  const worker = new Worker(code, {
    eval: true,
    resourceLimits,
    workerData: { from: import.meta.url, fonts: ownFontFolder() },
  })
  worker.on('error', () => {})
  return worker
}

/** Keeps the thread for the next document, without holding up the end of the process. */
function keep(worker: Worker): void {
  worker.unref()
  const end = setTimeout(() => {
    kept = undefined
    void worker.terminate()
  }, limits.idle).unref()
  kept = { worker, end }
}

function answerOf(worker: Worker, name: keyof Makers, document: unknown): Promise<DrawAnswer> {
  return new Promise((resolve, reject) => {
    const done = (answer: DrawAnswer) => {
      worker.off('error', reject).off('exit', broken)
      resolve(answer)
    }
    const broken = () => reject(new Error('The thread that makes documents has ended.'))
    worker.once('message', done).once('error', reject).once('exit', broken)
    worker.postMessage({ name, document })
  })
}

/**
 * Makes a document in a thread of its own with a limit on its memory, one after the other: on the thread of the requests
 * everybody would wait for each page.
 * @throws what the maker has thrown; what breaks the thread
 */
export function draw<Name extends keyof Makers>(name: Name, document: Document<Name>): Promise<Buffer> {
  return inTurn(async () => {
    const worker = kept?.worker ?? (await startThread())
    clearTimeout(kept?.end)
    kept = undefined
    worker.ref()
    const answer = await answerOf(worker, name, document)
    keep(worker)
    if ('problem' in answer) throw new Error(answer.problem)
    return Buffer.from(answer.bytes.buffer)
  })
}
