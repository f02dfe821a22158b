import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ok, type Reply, refusal, wired } from '../../../../tests/helper/wire.ts'

/** What a bucket was sent, and what it answers in turn: 0 when it cannot be reached. */
const bucket = { sent: [] as { url: string; type: string; size: number }[], answers: [] as number[] }

class Request {
  upload: { onprogress?: (event: { loaded: number; total: number }) => void } = {}
  onloadend = () => {}
  status = 0
  #to = { url: '', type: '' }
  open(_method: string, url: string) {
    this.#to.url = url
  }
  setRequestHeader(_name: string, value: string) {
    this.#to.type = value
  }
  send(file: Blob) {
    bucket.sent.push({ ...this.#to, size: file.size })
    this.status = bucket.answers.shift() ?? 200
    this.upload.onprogress?.({ loaded: file.size / 2, total: file.size })
    queueMicrotask(() => this.onloadend())
  }
}

beforeEach(() => {
  localStorage.clear()
  bucket.sent = []
  bucket.answers = []
  vi.stubGlobal('XMLHttpRequest', Request)
  vi.useFakeTimers({ toFake: ['setTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const stored = { attachId: '7', originalName: 'a.pdf', size: 3 }
const file = (type = 'application/pdf') => new File(['abc'], 'a.pdf', { type })

/** A server with or without a bucket. */
async function on(more: Record<string, Reply> = {}, directUploads = true) {
  const answers: Record<string, Reply> = {
    '/public/site': ok(directUploads ? { directUploads } : {}),
    '/blade-resource/attach/sign': ok({ id: '5', url: 'https://s3.example.org/files/in/5?X-Amz-Signature=x' }),
    '/blade-resource/attach/arrived': ok(stored),
    '/blade-resource/oss/endpoint/put-file': ok({ ...stored, attachId: '8' }),
    ...more,
  }
  const wire = await wired(({ path }) => answers[path] ?? refusal(404, '没有'))
  const { sendFile } = await import('./send-file.ts')
  const paths = () => wire.sent.map(({ path }) => path.replace('/blade-resource', ''))
  return { ...wire, sendFile, paths }
}

/** Lets pauses pass until something is done. */
async function soon<T>(work: Promise<T>): Promise<T> {
  let isDone = false
  const done = work.finally(() => {
    isDone = true
  })
  done.catch(() => {})
  while (!isDone) await vi.advanceTimersByTimeAsync(1000)
  return done
}

test('a file goes straight into the bucket, with progress, and is asked for once where it may go', async () => {
  const { sendFile, paths, sent } = await on()
  const progress: number[] = []
  const taken = await soon(sendFile(file(), { owner: 'signup', examId: '3' }, { onProgress: at => progress.push(at) }))
  expect(taken).toEqual(stored)
  expect([bucket.sent, progress]).toEqual([
    [{ url: 'https://s3.example.org/files/in/5?X-Amz-Signature=x', type: 'application/pdf', size: 3 }],
    [50],
  ])
  await soon(sendFile(file(''), { owner: 'signup' }))
  expect(bucket.sent[1]?.type).toBe('application/octet-stream')
  expect(paths()).toEqual(['/public/site', ...['sign', 'arrived', 'sign', 'arrived'].map(name => `/attach/${name}`)])
  expect(JSON.parse(String(sent[1]?.data))).toEqual({
    name: 'a.pdf',
    size: 3,
    type: 'application/pdf',
    owner: 'signup',
    examId: '3',
  })
})

test('what does not arrive is sent again, three times at most; what the bucket refuses is not', async () => {
  const { sendFile, paths } = await on()
  bucket.answers = [0, 503, 200]
  expect(await soon(sendFile(file(), { owner: 'signup' }))).toEqual(stored)
  bucket.answers = [0, 0, 0]
  await expect(soon(sendFile(file(), { owner: 'signup' }))).rejects.toMatchObject({ name: 'NotArrived' })
  bucket.answers = [403]
  await expect(soon(sendFile(file(), { owner: 'signup' }))).rejects.toMatchObject({ name: 'NotArrived' })
  expect(bucket.sent).toHaveLength(7)
  expect(paths().filter(path => path.endsWith('arrived'))).toHaveLength(1)
})

test('a refusal is that of the server, before or after the file has gone', async () => {
  const { sendFile } = await on({ '/blade-resource/attach/sign': refusal(28002, '文件超过5120KB') })
  await expect(soon(sendFile(file(), { owner: 'signup' }))).rejects.toMatchObject({ code: 28002 })
  expect(bucket.sent).toEqual([])
  const late = await on({ '/blade-resource/attach/arrived': refusal(28003, '文件内容与格式不符') })
  await expect(soon(late.sendFile(file(), { owner: 'signup' }))).rejects.toMatchObject({ code: 28003 })
})

test('without a bucket, for a tenant with storage of its own and at other servers it goes through the server', async () => {
  for (const one of [
    await on({}, false),
    await on({ '/blade-resource/attach/sign': ok({}) }),
    await on({ '/public/site': refusal(404, '没有', 404) }),
  ]) {
    expect(await soon(one.sendFile(file(), { owner: 'signup' }))).toMatchObject({ attachId: '8' })
    expect(one.paths().at(-1)).toBe('/oss/endpoint/put-file')
  }
  expect(bucket.sent).toEqual([])
})

test('what is saved comes by a link, which no header goes with', async () => {
  const clicked: string[] = []
  HTMLAnchorElement.prototype.click = function click() {
    clicked.push(this.href)
  }
  await on({ '/blade-resource/attach/address': ok({ url: '/api/blade-resource/attach/download?id=7&sig=x&inline=0' }) })
  const { saveAttach } = await import('./save-attach.ts')
  await saveAttach('7', 'a.pdf')
  expect(clicked).toEqual([expect.stringMatching(/\/api\/blade-resource\/attach\/download\?id=7&sig=x&inline=0$/)])
})
