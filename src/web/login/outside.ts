import './outside.css'
import type { AnswerOf } from '#engine'
import { outsideSources, signInOutside } from '../../platform/auth/contract.ts'
import { keepReturnState } from '../../platform/http/browser/sign-in-return.ts'
import { byId, label } from './page.ts'

/** The providers that people may sign in with. */
type Sources = AnswerOf<typeof outsideSources>

/** The box of the buttons, made when there is the first one. */
function box(): HTMLElement {
  const old = document.getElementById('outside')
  if (old) {
    for (const button of old.querySelectorAll('button')) button.remove()
    return old
  }
  const made = document.createElement('div')
  made.id = 'outside'
  made.className = 'login-outside not-factor'
  const words = made.appendChild(document.createElement('p'))
  label(words, '其他登录方式')
  byId('demo').before(made)
  return made
}

/** The providers of a tenant; none when they cannot be had: the other ways to sign in stay. */
async function sourcesOf(query: URLSearchParams): Promise<Sources> {
  try {
    const { data } = (await (await fetch(`/api${outsideSources.path}?${query}`)).json()) as { data?: Sources }
    // Another server than ours may answer something else.
    return Array.isArray(data) ? data : []
  } catch {
    return []
  }
}

/**
 * Offers the providers elsewhere that a tenant has; none leaves no trace.
 * @param to where to go on after signing in, a path of ours
 */
export async function offerOutside(tenantId: string, to: string): Promise<void> {
  const query = new URLSearchParams({ tenantId })
  const sources = await sourcesOf(query)
  if (sources.length === 0 && !document.getElementById('outside')) return
  const place = box()
  place.hidden = sources.length === 0
  for (const { source, sourceName } of sources) {
    const button = place.appendChild(document.createElement('button'))
    button.type = 'button'
    button.textContent = sourceName
    button.addEventListener('click', () => {
      keepReturnState({ to, tenantId })
      location.assign(`/api${signInOutside.path.replace(':source', encodeURIComponent(source))}?${query}`)
    })
  }
}
