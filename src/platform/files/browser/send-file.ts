import type { AnswerOf, ValuesOf } from '#engine'
import { call } from '../../http/browser/call.ts'
import type { CallOptions } from '../../http/browser/http.ts'
import { arrivedUpload, putFile, signUpload } from '../uploads/contract.ts'
import { goesDirectly } from './site-files.ts'

/** What an upload is for. */
export type Owner = ValuesOf<typeof signUpload>['owner']

/** What the server knows of a file it has taken. */
export type Stored = AnswerOf<typeof putFile>

interface Target {
  owner: Owner
  /** The exam's own slot. */
  examId?: string
  fileCode?: string
}

/** A file did not get to where it was sent, and was not refused either. */
export class NotArrived extends Error {
  constructor(status: number) {
    super(`The file did not arrive: ${status}.`)
    this.name = 'NotArrived'
  }
}

/** Milliseconds before a file is sent again that did not arrive. */
const PAUSES = [1000, 3000]

/** A type as the server takes it; whatever the file says of itself, it is looked at when it has arrived. */
const typeOf = ({ type }: Blob): string => (/^[\w.+-]+\/[\w.+-]+$/.test(type) ? type : 'application/octet-stream')

/** Puts a file to an address once; answers the status, 0 when the server cannot be reached. */
function put(url: string, file: Blob, onProgress: CallOptions['onProgress']): Promise<number> {
  return new Promise(resolve => {
    const request = new XMLHttpRequest()
    request.open('PUT', url)
    request.setRequestHeader('Content-Type', typeOf(file))
    if (onProgress)
      request.upload.onprogress = ({ loaded, total }) => onProgress(Math.round((loaded / Math.max(1, total)) * 100))
    request.onloadend = () => resolve(request.status)
    request.send(file)
  })
}

/** Puts a file to an address, three times at most. @throws NotArrived */
async function putAtLast(url: string, file: Blob, onProgress: CallOptions['onProgress']): Promise<void> {
  for (const pause of [...PAUSES, undefined]) {
    const status = await put(url, file, onProgress)
    if (status >= 200 && status < 300) return
    const isOver = status > 0 && status < 500
    if (isOver || pause === undefined) throw new NotArrived(status)
    await new Promise(done => setTimeout(done, pause))
  }
}

/**
 * Sends one file: straight into the bucket of the installation where there is one, else through the server.
 * @throws as `call`, and NotArrived
 */
export async function sendFile(
  file: File,
  target: Target,
  options: Pick<CallOptions, 'onProgress' | 'pass'> = {},
): Promise<Stored> {
  const { onProgress, ...rest } = options
  if (await goesDirectly()) {
    const { name, size } = file
    const { id, url } = await call(signUpload, { name, size, type: typeOf(file), ...target }, rest)
    if (id && url) {
      await putAtLast(url, file, onProgress)
      return call(arrivedUpload, { id }, { ...rest, timeout: 0 })
    }
  }
  return call(putFile, target, { ...options, files: { file } })
}
