import { type ReactNode, useEffect, useEffectEvent } from 'react'
import { useLocation } from 'react-router-dom'
import { staffDesk } from '../../modules/desk/contract.ts'
import { useNotices } from '../../modules/notifications/pages/parts/unread.ts'
import { useEndpoint } from '../../screens/parts/use-endpoint.ts'

/** Milliseconds for which the count is taken to be right, on the way from page to page. */
const FRESH = 60_000

/**
 * How many kinds of work wait for this person, as their first page lists them. They are counted again when a message has come, and on
 * the way to another page when that was some time ago.
 */
export default function TodoCount(): ReactNode {
  const { pathname } = useLocation()
  const { total } = useNotices()
  const { data, dataUpdatedAt, refetch } = useEndpoint(staffDesk, {}, { pass: 'all' })
  const again = useEffectEvent((least: number) => {
    if (dataUpdatedAt > 0 && Date.now() - dataUpdatedAt > least) void refetch()
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: another number is why it is asked
  useEffect(() => again(0), [total])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page is why it is asked
  useEffect(() => again(FRESH), [pathname])
  const num = data?.todo?.length
  return num ? <b>{num}</b> : null
}
