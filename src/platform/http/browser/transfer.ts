import { type CallOptions, call, send } from './http.ts'

/** Milliseconds for which a saved file's address is kept alive. */
const KEEP = 10_000

/** Sends a form with files; `onProgress` is called with how far it is. @throws as `call`. */
export function upload<T>(path: string, form: FormData, options: CallOptions = {}): Promise<T> {
  return call<T>('POST', path, { timeout: 0, ...options, data: form })
}

/** The bytes of a file that needs a token, with the name the server gives it. @throws as `call`. */
async function fetchFile(path: string, options: CallOptions & { method?: 'GET' | 'POST' } = {}) {
  const config = { method: options.method ?? 'GET', url: path, responseType: 'blob' } as const
  const [response] = await send(config, { timeout: 0, ...options })
  return { blob: response.data as Blob, name: fileName(String(response.headers['content-disposition'] ?? '')) }
}

/** The file name in a Content-Disposition header; the encoded form wins over the plain one. */
export function fileName(header: string): string {
  const encoded = /filename\*\s*=\s*(?:UTF-8'[^']*')?([^;]+)/i.exec(header)?.[1]
  const plain = /filename\s*=\s*"?([^";]+)"?/i.exec(header)?.[1]
  const name = (encoded ?? plain ?? '').trim()
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

/** Puts bytes on the person's device under a name. */
function save(blob: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), KEEP)
}

type FileOptions = CallOptions & { method?: 'GET' | 'POST'; name?: string }

/** Saves a file of the server on the person's device and answers its name. @throws as `call`. */
export async function download(path: string, options: FileOptions = {}): Promise<string> {
  const file = await fetchFile(path, options)
  const name = file.name || options.name || 'download'
  save(file.blob, name)
  return name
}

/**
 * Takes an export: a small one is saved and its name answered, a large one is made in the background and null answered.
 * @throws as `call`.
 */
export async function takeExport(path: string, options: FileOptions = {}): Promise<string | null> {
  const { blob, name: given } = await fetchFile(path, options)
  // Workbooks and archives are no JSON: this is the word that the file is to come.
  if (blob.type.includes('json')) return null
  const name = given || options.name || 'download'
  save(blob, name)
  return name
}

/** An address for a picture that needs a token. Revoke it when it is no longer shown. @throws as `call`. */
export async function imageUrl(path: string, options: CallOptions = {}): Promise<string> {
  return URL.createObjectURL((await fetchFile(path, options)).blob)
}
