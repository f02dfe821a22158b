/**
 * Turns a HEIC picture into a JPEG, in a thread of its own: decoding holds a processor for a second. The decoder is the unchanged
 * library, which is told where its files are. This is a script of its own: what it imported would be built in.
 */

interface Work {
  picture: Blob
  /** Addresses of the library and of its compiled part. */
  script: string
  wasm: string
  /** Pixels of the longer side that the picture is brought down to. */
  longest: number
  /** Of a JPEG, up to 1. */
  quality: number
}

interface Pixels {
  data: Uint8ClampedArray<ArrayBuffer>
  width: number
  height: number
}

interface Picture {
  get_width: () => number
  get_height: () => number
  /** Fills in the colours, turned as the picture says. */
  display: (into: Pixels, done: (filled: Pixels | null) => void) => void
}

interface Library {
  HeifDecoder: new () => { decode: (bytes: Uint8Array) => Picture[] }
}

/** What stands in the library's file: the parts of the thread that are used here. */
interface Thread {
  importScripts: (address: string) => void
  /** Reads and starts the compiled part, and returns when it is ready. */
  libheif: (options: { locateFile: () => string }) => Library
  postMessage: (answer: Blob | null) => void
  onmessage: (event: MessageEvent<Work>) => void
}

const thread = globalThis as unknown as Thread

/** Larger pictures would not fit into the memory of a phone. */
const MOST_PIXELS = 80_000_000

const filled = (picture: Picture, width: number, height: number): Promise<Pixels> =>
  new Promise((resolve, fail) => {
    const into = { data: new Uint8ClampedArray(width * height * 4), width, height }
    picture.display(into, done => (done ? resolve(done) : fail(new Error('The picture has no colours.'))))
  })

async function jpegOf({ picture, script, wasm, longest, quality }: Work): Promise<Blob> {
  thread.importScripts(script)
  const { HeifDecoder } = thread.libheif({ locateFile: () => wasm })
  const [first] = new HeifDecoder().decode(new Uint8Array(await picture.arrayBuffer()))
  if (!first) throw new Error('There is no picture in the file.')
  const [width, height] = [first.get_width(), first.get_height()]
  if (width * height > MOST_PIXELS) throw new Error('The picture is too large.')
  const pixels = await filled(first, width, height)
  const whole = await createImageBitmap(new ImageData(pixels.data, width, height))
  const scale = Math.min(1, longest / Math.max(width, height))
  const canvas = new OffscreenCanvas(Math.round(width * scale), Math.round(height * scale))
  const pen = canvas.getContext('2d')
  if (!pen) throw new Error('Nothing can be drawn.')
  pen.imageSmoothingQuality = 'high'
  pen.drawImage(whole, 0, 0, canvas.width, canvas.height)
  return canvas.convertToBlob({ type: 'image/jpeg', quality })
}

thread.onmessage = ({ data }) => {
  jpegOf(data).then(
    jpeg => thread.postMessage(jpeg),
    () => thread.postMessage(null),
  )
}
