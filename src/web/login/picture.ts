import { byId, input, say, typed } from './page.ts'
import type { Proof } from './proof.ts'
import { picture } from './server.ts'

let key = ''

/** Shows another picture, whose characters are typed again. */
export async function renewPicture(): Promise<void> {
  input('picture').value = ''
  try {
    const next = await picture()
    key = next.key
    byId('renew').querySelector('img')!.src = next.image
  } catch {
    say('网络不通，请检查网络后重试')
  }
}

/** Shows the field for what stands in the picture. */
export async function askForPicture(): Promise<void> {
  if (!byId('picture-field').hidden) return
  byId('picture-field').hidden = false
  await renewPicture()
}

/** What was read from the picture, for one call. */
export const readPicture = (): Proof => ({ captcha: typed('picture'), captchaKey: key })
