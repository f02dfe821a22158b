import { useQuery } from '@tanstack/react-query'
import { attachDetail, attachFile } from '../../platform/files/contract.ts'
import { call, pictureUrl } from '../../platform/http/browser/call.ts'

/** Saves an attachment on the person's device. @throws as `call`. */
export const saveAttach = async (id: string, name?: string): Promise<void> =>
  (await import('../../platform/files/browser/save-attach.ts')).saveAttach(id, name)

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
