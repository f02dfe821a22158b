import type { Locator, Page } from '@playwright/test'

/** A required field's name begins with a star. */
const named = (label: string) => new RegExp(`^[*\\s]*${label}$`)

/** Types into the text, number or date fields of a form: name to text. */
export async function fill(form: Locator, texts: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, text] of Object.entries(texts)) {
    const field = form
      .getByRole('textbox', { name: named(label) })
      .or(form.getByRole('spinbutton', { name: named(label) }))
    await field.fill(text)
  }
}

/** Types times into a form's date fields; each is confirmed with the enter key. */
export async function fillTimes(form: Locator, times: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, text] of Object.entries(times)) {
    const field = form.getByRole('textbox', { name: named(label) })
    await field.click()
    await field.fill(text)
    await field.press('Enter')
  }
}

/** Chooses in the select fields of a form: name to the words of the choice. */
export async function choose(page: Page, form: Locator, choices: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, words] of Object.entries(choices)) {
    await form.getByRole('combobox', { name: named(label) }).click()
    await page.getByTitle(words, { exact: true }).filter({ visible: true }).last().click()
  }
}

/** Saves a form and waits until the server has taken it and the form is gone. */
export async function save(page: Page, form: Locator): Promise<void> {
  await form.getByRole('button', { name: '保存' }).click()
  await form.waitFor({ state: 'hidden' })
  await page
    .getByText(/(新增|更新)成功/)
    .last()
    .waitFor()
}

/** Opens the form of a new row on a list. */
export async function add(page: Page, title: string): Promise<Locator> {
  await page.getByRole('button', { name: '新增' }).first().click()
  const form = page.getByRole('dialog', { name: `新增${title}` })
  await form.getByRole('button', { name: '保存' }).waitFor()
  return form
}
