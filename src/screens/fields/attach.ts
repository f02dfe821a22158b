import { useQuery } from '@tanstack/react-query'
import { call } from '../../platform/http/browser/http.ts'
import { download, imageUrl, upload } from '../../platform/http/browser/transfer.ts'

/** Where the bytes of an attachment are. */
const DOWNLOAD = '/blade-resource/attach/download'

/** What the server knows of a file it has taken. */
export interface Stored {
  readonly attachId: string
  readonly originalName: string
  readonly link?: string
}

/** Sends one file; who calls says what was refused. `owner` is a key of the dictionary `attach_owner`. @throws as `call`. */
export async function uploadFile(file: File, owner: string, onProgress?: (percent: number) => void): Promise<Stored> {
  const form = new FormData()
  form.append('file', file)
  const params = { owner }
  const stored = await upload<Stored>('/blade-resource/oss/endpoint/put-file', form, {
    params,
    onProgress,
    pass: 'all',
  })
  // Some servers know a file by its address alone.
  return { ...stored, attachId: stored.attachId || (stored.link ?? '') }
}

/** Saves an attachment on the person's device. @throws as `call`. */
export function saveFile(id: string, name?: string): Promise<string> {
  return download(DOWNLOAD, { params: { id }, name })
}

/** The address of a protected picture, fetched once; undefined while it comes, `isError` when it may not be seen. */
export function usePicture(id: string | undefined) {
  return useQuery({
    queryKey: ['picture', id],
    enabled: Boolean(id),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    retry: false,
    queryFn: async ({ signal }) =>
      id && isAddress(id) ? id : imageUrl(DOWNLOAD, { params: { id }, signal, pass: 'all' }),
  })
}

/** The original name of an attachment, for example of a file chosen earlier. */
export function useFileName(id: string | undefined): string | undefined {
  const { data } = useQuery({
    queryKey: ['attach', id],
    enabled: Boolean(id),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    queryFn: ({ signal }) =>
      call<{ originalName?: string }>('GET', '/blade-resource/attach/detail', { params: { id }, signal, pass: 'all' }),
  })
  return data?.originalName
}

/** True for an address: some calls of the wire answer one instead of an attachment id. */
export const isAddress = (value: string): boolean => /^(https?:|\/|data:|blob:)/.test(value)
