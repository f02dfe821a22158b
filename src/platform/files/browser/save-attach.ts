import { call, saveFile } from '../../http/browser/call.ts'
import { attachAddress, attachFile } from '../contract.ts'
import { goesDirectly } from './site-files.ts'

/** Milliseconds for which a link that was followed stays in the page. */
const KEEP = 1000

/**
 * Saves an attachment on the person's device: by a link where the bucket gives it, which no header may go to, else with the
 * person's token.
 * @throws as `call`
 */
export async function saveAttach(id: string, name?: string): Promise<void> {
  if (!(await goesDirectly())) return void (await saveFile(attachFile, { id }, name ? { name } : {}))
  const { url } = await call(attachAddress, { id })
  const link = document.createElement('a')
  link.href = url
  link.download = name ?? ''
  document.body.append(link)
  link.click()
  setTimeout(() => link.remove(), KEEP)
}
