import { call } from '../../http/browser/call.ts'
import { siteInfo } from '../../http/contract.ts'

let known: Promise<boolean> | undefined

/** Whether files go straight into a bucket, and come from there. Asked once for as long as the page is open. */
export function goesDirectly(): Promise<boolean> {
  known ??= call(siteInfo, {}, { pass: 'all' }).then(
    site => site.directUploads === true,
    () => {
      known = undefined
      return false
    },
  )
  return known
}
