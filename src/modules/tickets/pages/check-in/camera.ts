/** What browsers with a reader of their own offer; it is in no type library yet. */
interface CodeDetector {
  detect(source: HTMLVideoElement): Promise<{ rawValue: string }[]>
}
type DetectorClass = {
  new (options: { formats: string[] }): CodeDetector
  getSupportedFormats(): Promise<string[]>
}

/** Why nothing can be scanned. */
export type NoScan =
  /** The page did not come by https. */
  | 'insecure'
  /** The browser reads no codes. */
  | 'unable'
  /** The person said no, or there is no camera. */
  | 'refused'

const pause = (time: number): Promise<void> => new Promise(done => setTimeout(done, time))

async function detector(): Promise<CodeDetector | null> {
  const { BarcodeDetector } = globalThis as { BarcodeDetector?: DetectorClass }
  const formats = await BarcodeDetector?.getSupportedFormats().catch((): string[] => [])
  return BarcodeDetector && formats?.includes('qr_code') ? new BarcodeDetector({ formats: ['qr_code'] }) : null
}

async function read(video: HTMLVideoElement, reader: CodeDetector, signal: AbortSignal): Promise<string | null> {
  while (!signal.aborted) {
    const [code] = video.readyState >= video.HAVE_CURRENT_DATA ? await reader.detect(video).catch(() => []) : []
    if (code?.rawValue) return code.rawValue
    await pause(120)
  }
  return null
}

/**
 * Shows the back camera in a video and reads the first code it sees. The camera is switched off whatever happens.
 * @returns the text of the code, or null when `signal` ended it
 * @throws {@link NoScan} in words, as the message
 */
export async function scanWith(video: HTMLVideoElement, signal: AbortSignal): Promise<string | null> {
  const fail = (why: NoScan): Error => new Error(why)
  if (!navigator.mediaDevices) throw fail('insecure')
  const reader = await detector()
  if (!reader) throw fail('unable')
  const wanted = { video: { facingMode: 'environment', width: { ideal: 1280 } } }
  const stream = await navigator.mediaDevices.getUserMedia(wanted).catch(() => {
    throw fail('refused')
  })
  try {
    video.srcObject = stream
    await video.play().catch(() => undefined)
    return await read(video, reader, signal)
  } finally {
    for (const track of stream.getTracks()) track.stop()
    video.srcObject = null
  }
}
