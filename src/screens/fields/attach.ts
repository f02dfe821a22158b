import { useQuery } from '@tanstack/react-query'
import { attachFile } from '../../platform/files/contract.ts'
import { pictureUrl } from '../../platform/http/browser/call.ts'

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

/** True for an address: some calls of the wire answer one instead of an attachment id. */
export const isAddress = (value: string): boolean => /^(https?:|\/|data:|blob:)/.test(value)
