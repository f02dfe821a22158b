import { useQuery } from '@tanstack/react-query'
import type { AnswerOf, ValuesOf } from '#engine'
import { attachDetail, attachFile, putFile } from '../../platform/files/contract.ts'
import { call, pictureUrl, saveFile } from '../../platform/http/browser/call.ts'

/** What an upload is for. */
export type Owner = NonNullable<ValuesOf<typeof putFile>['owner']>

/** What the server knows of a file it has taken. */
export type Stored = AnswerOf<typeof putFile>

/** Sends one file; who calls says what was refused. @throws as `call`. */
export async function uploadFile(file: File, owner: Owner, onProgress?: (percent: number) => void): Promise<Stored> {
  const stored: Stored = await call(putFile, { owner }, { files: { file }, onProgress, pass: 'all' })
  // Some servers know a file by its address alone.
  return { ...stored, attachId: stored.attachId || (stored.link ?? '') }
}

/** Saves an attachment on the person's device. @throws as `call`. */
export const saveAttach = (id: string, name?: string): Promise<string> =>
  saveFile(attachFile, { id }, name ? { name } : {})

/** The address of a protected picture, fetched once; undefined while it comes, `isError` when it may not be seen. */
export function usePicture(id: string | undefined) {
  return useQuery({
    queryKey: ['picture', id],
    enabled: Boolean(id),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    retry: false,
    queryFn: async ({ signal }) =>
      id && isAddress(id) ? id : pictureUrl(attachFile, { id: id ?? '' }, { signal, pass: 'all' }),
  })
}

/** The original name of an attachment, for example of a file chosen earlier. */
export function useFileName(id: string | undefined): string | undefined {
  const { data } = useQuery({
    queryKey: ['attach', id],
    enabled: Boolean(id),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    queryFn: ({ signal }) => call(attachDetail, { id: id ?? '' }, { signal, pass: 'all' }),
  })
  return data?.originalName
}

/** True for an address: some calls of the wire answer one instead of an attachment id. */
export const isAddress = (value: string): boolean => /^(https?:|\/|data:|blob:)/.test(value)
