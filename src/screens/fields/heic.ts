import script from 'libheif-js/libheif-wasm/libheif.js?url'
import wasm from 'libheif-js/libheif-wasm/libheif.wasm?url'

/** Milliseconds after which nothing is to be expected any more; the library comes over the wire within them. */
const PATIENCE = 60_000

/** Whether this browser can run the decoder. */
export const canDecode = (): boolean =>
  typeof Worker === 'function' && typeof OffscreenCanvas === 'function' && typeof WebAssembly === 'object'

/** An address of this site in full: threads do not know where the page is. */
const whole = (address: string): string => new URL(address, document.baseURI).href

/**
 * A HEIC picture as JPEG, upright, its longer side at most `longest` pixels. The decoder is fetched for it and runs in a thread that
 * ends with it.
 * @param quality of the JPEG, up to 1
 * @throws when it is no such picture, or damaged
 */
export function jpegOfHeic(picture: Blob, longest: number, quality: number): Promise<Blob> {
  const worker = new Worker(new URL('./heic-worker.ts', import.meta.url))
  const answer = new Promise<Blob>((resolve, fail) => {
    const failed = (): void => fail(new Error('The picture could not be decoded.'))
    setTimeout(failed, PATIENCE)
    worker.onerror = failed
    worker.onmessage = ({ data }: MessageEvent<Blob | null>) => (data ? resolve(data) : failed())
  })
  worker.postMessage({ picture, script: whole(script), wasm: whole(wasm), longest, quality })
  return answer.finally(() => worker.terminate())
}
