import type { Locator, Page } from '@playwright/test'
import { buttonNamed, fieldNamed, like, t, word } from './words.ts'

/** Types into the text, number or date fields of a form: name, in Chinese, to text. */
export async function fill(form: Locator, texts: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, text] of Object.entries(texts)) {
    const field = form
      .getByRole('textbox', { name: fieldNamed(label) })
      .or(form.getByRole('spinbutton', { name: fieldNamed(label) }))
    await field.fill(text)
  }
}

/** Types times into a form's date fields; each is confirmed with the enter key. */
export async function fillTimes(form: Locator, times: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, text] of Object.entries(times)) {
    const field = form.getByRole('textbox', { name: fieldNamed(label) })
    await field.click()
    // Before its calendar has opened, Enter would send the form.
    await form.page().locator('.ant-picker-dropdown').filter({ visible: true }).first().waitFor()
    await field.fill(text)
    await field.press('Enter')
  }
}

/** Chooses in a form, from a list or, where all words fit beside each other, among buttons: name to the choice. */
export async function choose(page: Page, form: Locator, choices: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, choice] of Object.entries(choices)) {
    const list = form.getByRole('combobox', { name: fieldNamed(label) })
    const button = form.getByRole('radio', { name: word(choice), exact: true })
    await list.or(button).first().waitFor({ state: 'attached' })
    if ((await list.count()) === 0) {
      await button.check()
      continue
    }
    await list.click()
    // Words of dictionaries are translated, names of what people have made are not.
    const entry = page.getByTitle(word(choice), { exact: true }).or(page.getByTitle(choice, { exact: true }))
    await entry.filter({ visible: true }).last().click()
  }
}

/** Saves a form and waits until the server has taken it and the form is gone. */
export async function save(page: Page, form: Locator): Promise<void> {
  const told = page.getByText(like('新增成功')).or(page.getByText(like('更新成功')))
  // The word stays for seconds only: it is looked for from the click on, not when the form has gone.
  await Promise.all([told.last().waitFor(), form.getByRole('button', { name: t('保存'), exact: true }).click()])
  await form.waitFor({ state: 'hidden' })
}

/** Opens the form of a new row on a list. */
export async function add(page: Page, title: string): Promise<Locator> {
  await page
    .getByRole('button', { name: buttonNamed('新增') })
    .last()
    .click()
  const form = page.getByRole('dialog', { name: t('新增{{name}}', { name: t(title) }) })
  await form.getByRole('button', { name: t('保存'), exact: true }).waitFor()
  return form
}
