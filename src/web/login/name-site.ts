import { byId, input, point } from './page.ts'
import { type Site, site } from './server.ts'

function offer(accounts: NonNullable<Site['demoAccounts']>): void {
  for (const old of byId('demo').querySelectorAll('button')) old.remove()
  for (const { account, name, password } of accounts) {
    const button = document.createElement('button')
    button.type = 'button'
    button.textContent = name || account
    button.title = account
    button.addEventListener('click', () => {
      input('username').value = account
      input('password').value = password
      point('submit')
    })
    byId('demo').append(button)
  }
  byId('demo').hidden = accounts.length === 0
}

/** Writes what the server calls the site and its demo accounts, in the page's language. */
export async function nameSite(): Promise<Site> {
  const found = await site()
  for (const place of document.querySelectorAll('[data-site=title]'))
    place.textContent = found.title || place.textContent
  offer(found.demoAccounts ?? [])
  return found
}
