import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { scanWith } from './camera.ts'

const stop = vi.fn()
const video = Object.assign(document.createElement('video'), { play: async () => undefined })
Object.defineProperty(video, 'readyState', { value: 4 })
let seen: string[]
let looks = 0

/** A reader that sees nothing at first, then a code. */
class Reader {
  static getSupportedFormats = async () => ['qr_code']
  async detect() {
    looks++
    const next = seen.shift()
    return next ? [{ rawValue: next }] : []
  }
}

const camera = (answer: () => Promise<unknown>) =>
  vi.stubGlobal('navigator', { mediaDevices: { getUserMedia: answer } })
const stream = async () => ({ getTracks: () => [{ stop }] })

beforeEach(() => {
  seen = ['', 'JX1:A']
  stop.mockClear()
  looks = 0
  vi.stubGlobal('BarcodeDetector', Reader)
  camera(stream)
})
afterEach(() => vi.unstubAllGlobals())

const scan = (signal = new AbortController().signal) => scanWith(video, signal)

test('a code is read and the camera switched off', async () => {
  expect(await scan()).toBe('JX1:A')
  expect(stop).toHaveBeenCalledTimes(1)
})

test('whoever closes the scanner switches the camera off, also while it starts', async () => {
  const ending = new AbortController()
  seen = []
  const running = scan(ending.signal)
  setTimeout(() => ending.abort(), 20)
  expect(await running).toBeNull()
  expect(await scan(AbortSignal.abort())).toBeNull()
  expect([stop.mock.calls.length, looks]).toEqual([2, 1])
})

test('what is missing is said: https, a reader, the permission', async () => {
  camera(() => Promise.reject(new Error('NotAllowedError')))
  await expect(scan()).rejects.toThrow('refused')
  vi.stubGlobal(
    'BarcodeDetector',
    class extends Reader {
      static override getSupportedFormats = async () => ['ean_13']
    },
  )
  await expect(scan()).rejects.toThrow('unable')
  vi.stubGlobal('BarcodeDetector', undefined)
  await expect(scan()).rejects.toThrow('unable')
  vi.stubGlobal('navigator', {})
  await expect(scan()).rejects.toThrow('insecure')
})
