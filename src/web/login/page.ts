import { t } from './texts.ts'

/** An element of the sign-in page, by its id. */
export const byId = <T extends HTMLElement>(id: string): T => document.getElementById(id) as T

/** An input of the sign-in page. */
export const input = (id: string): HTMLInputElement => byId<HTMLInputElement>(id)

/** What an input holds, without blanks around it. */
export const typed = (id: string): string => input(id).value.trim()

/** Says what is wrong, above the fields; an empty text takes it away. @param isCalm nothing is wrong: it tells what goes on */
export function say(text: string, isCalm = false): void {
  const alert = byId('alert')
  alert.textContent = t(text)
  alert.toggleAttribute('data-calm', isCalm)
  alert.hidden = text === ''
}

/** Leads to a field (or a button) and forgets what was wrong. */
export function point(id: string): void {
  for (const field of byId('form').querySelectorAll('input')) field.removeAttribute('aria-invalid')
  byId(id).focus()
}

/** Marks a field as wrong and leads to it. */
export function blame(id: string): void {
  point(id)
  input(id).setAttribute('aria-invalid', 'true')
  input(id).select()
}

/** Says what is wrong with one field. */
export function complain(text: string, id: string): void {
  say(text)
  blame(id)
}

/** Writes on a marked element, so that it follows the language. */
export function label(element: Element | null | undefined, text: string): void {
  if (!(element instanceof HTMLElement)) return
  element.dataset.t = text
  element.textContent = t(text)
}
