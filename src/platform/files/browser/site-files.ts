import type { AnswerOf } from '#engine'
import { call } from '../../http/browser/call.ts'
import { siteInfo } from '../../http/contract.ts'

type Site = AnswerOf<typeof siteInfo>

let known: Promise<Site | undefined> | undefined

/** What the site says of files. Asked once for as long as the page is open, and again where there was no answer. */
function site(): Promise<Site | undefined> {
  known ??= call(siteInfo, {}, { pass: 'all' }).catch(() => {
    known = undefined
    return undefined
  })
  return known
}

/** Whether files go straight into a bucket, and come from there. */
export const goesDirectly = async (): Promise<boolean> => (await site())?.directUploads === true

/** Whether pages decode HEIC pictures that the browser does not know. */
export const readsHeic = async (): Promise<boolean> => (await site())?.heic === true
