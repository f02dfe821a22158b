import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import { templateWorkbook } from '../../src/platform/workbook/workbook.ts'
import { readRows } from '../../src/platform/workbook/workbook-read.ts'
import { buttonNamed, like, t } from './words.ts'

/** A row of a sheet by the titles of its columns. */
export type SheetRow = Readonly<Record<string, string | number>>

/** Presses what downloads a file; answers its name and bytes. */
export async function downloaded(page: Page, button: Locator): Promise<{ name: string; bytes: Buffer }> {
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()])
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) }
}

/** Fills in a downloaded template as a person does in a spreadsheet: the mark and the titles stay, rows are added below. */
export async function filledIn(template: Buffer, sheet: string, rows: readonly SheetRow[]): Promise<Buffer> {
  const lines = []
  for await (const row of readRows(template)) lines.push(row.cells.map(cell => cell.text))
  const version = /：(\S+?)（/.exec(lines[0]?.[0] ?? '')?.[1]
  const titles = lines.find(line => line.some(text => text.startsWith('* ')))
  if (!version || !titles) throw new Error(`This is no template: ${JSON.stringify(lines)}`)
  const columns = titles.map(title => ({ title: title.replace('* ', ''), required: title.startsWith('* ') }))
  const unknown = rows.flatMap(row => Object.keys(row)).filter(title => !columns.some(column => column.title === title))
  if (unknown.length > 0) throw new Error(`The template has no ${unknown.join()}, but ${titles.join()}`)
  return templateWorkbook({
    sheet,
    version,
    columns,
    rows: rows.map(row => columns.map(({ title }) => row[title] ?? null)),
  })
}

/** Gives a file to a page that asks for one when a control is pressed. */
export async function give(page: Page, control: Locator, name: string, buffer: Buffer): Promise<void> {
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), control.click()])
  await chooser.setFiles({ name, mimeType: types[name.slice(name.lastIndexOf('.') + 1)] ?? '', buffer })
}

const types: Readonly<Record<string, string>> = {
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  png: 'image/png',
  jpg: 'image/jpeg',
}

/** Imports rows by a screen's import dialog: its template is downloaded, filled in and sent. */
export async function importRows(page: Page, path: string, rows: readonly SheetRow[]): Promise<void> {
  await page.goto(path)
  await page.getByRole('button', { name: buttonNamed('导入') }).click()
  const dialog = page.getByRole('dialog', { name: like('导入{{name}}') })
  const { name, bytes } = await downloaded(page, dialog.getByRole('button', { name: t('下载模板') }))
  const book = await filledIn(bytes, name.replace('.xlsx', ''), rows)
  const total = rows.length
  await give(page, dialog.getByText(t('点击或拖入按模板填写的 .xlsx 文件')), name, book)
  await dialog
    .getByText(t('共 {{total}} 行，导入 {{success}} 行，有误 {{failed}} 行', { total, success: total, failed: 0 }))
    .waitFor()
  await dialog.getByRole('button', { name: t('关闭') }).click()
}
