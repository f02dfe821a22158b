import type { codeTarget } from '#schemas/dictionaries'
import { cleanName, type ZipEntry } from '../../../platform/files/zip.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { dictionariesOf } from './dictionaries.ts'
import { fieldProblems } from './fields.ts'
import { modelOf, storedOf } from './prototype.ts'
import type { Asking } from './source.ts'
import type { GeneratedFile, Module, Shape } from './template.ts'
import { juxianFiles } from './template-juxian.ts'
import { saberFiles } from './template-saber.ts'

/** What code can be generated for. */
export type CodeTarget = keyof typeof codeTarget.entries & string

const targets: Readonly<Record<CodeTarget, (module: Module) => GeneratedFile[]>> = {
  saber: saberFiles,
  juxian: juxianFiles,
}

/**
 * A model with its saved fields.
 * @throws row.notFound, input.invalid when none are saved, or with what of them cannot be made true
 */
async function shapeOf({ app, db }: Asking, modelId: string): Promise<Shape> {
  const model = await modelOf(db, modelId)
  const fields = await storedOf(db, modelId)
  if (fields.length === 0) throw refuse('input.invalid', { 说明: `请先配置模型字段：${model.modelName}` })
  const dictionaries = await dictionariesOf({ app }, fields)
  const problems = fieldProblems(fields, dictionaries)
  if (problems.length > 0)
    throw refuse(
      'input.invalid',
      { 说明: `模型${model.modelName}不能生成：${problems.map(({ msg }) => msg).join('；')}` },
      problems,
    )
  return { model, fields, dictionaries }
}

/** The settings of some modules with everything they name. @throws row.notFound, input.invalid */
async function modulesOf(asking: Asking, ids: readonly string[]): Promise<Module[]> {
  const rows = await asking.db.selectFrom('code').selectAll().where('id', 'in', ids).orderBy('id').execute()
  if (rows.length < ids.length) throw refuse('row.notFound')
  const modules: Module[] = []
  for (const settings of rows) {
    const child = settings.templateType === 'sub' && settings.subModelId ? settings.subModelId : null
    if (!settings.modelId) throw refuse('input.invalid', { 说明: `请先为 ${settings.codeName} 选择数据模型` })
    const [shape, below] = [await shapeOf(asking, settings.modelId), child ? await shapeOf(asking, child) : null]
    modules.push({ settings, ...shape, child: below })
  }
  return modules
}

/** A path inside the archive: no part of it leads out, whatever the settings say. */
const within = (path: string): string =>
  path
    .split('/')
    .filter(part => part !== '')
    .map(cleanName)
    .join('/')

/** The folder the settings want, for the part of the program it is meant for. */
const folderOf = ({ settings }: Module, target: CodeTarget): string =>
  (target === 'saber' ? settings.webPath : settings.apiPath) ?? ''

/**
 * Generates the files of modules. They go into an archive that the caller takes home; nothing is written on the server.
 * @throws row.notFound, input.invalid for a model without saved fields
 */
export async function generate(
  asking: Asking,
  ids: readonly string[],
  target: CodeTarget,
): Promise<() => AsyncGenerator<ZipEntry>> {
  const modules = await modulesOf(asking, ids)
  const time = asking.app.now()
  const files = new Map<string, string>()
  for (const module of modules)
    for (const { path, text } of targets[target](module)) files.set(within(`${folderOf(module, target)}/${path}`), text)
  return async function* entries() {
    for (const [name, text] of files) yield { name, time, open: async () => Buffer.from(text) }
  }
}
