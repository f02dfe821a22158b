import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { expect } from 'vitest'
import { runNode } from './process.ts'
import { testSecretKey } from './secret-key.ts'
import type { Trial } from './trial.ts'

/** Something that a check of a backup has looked at. */
interface Finding {
  what: string
  isRight: boolean
  says: string
}

/** Takes a logical backup of an installation. @returns its file */
export async function backUpRows(run: Trial, env: Record<string, string>, folder?: string): Promise<string> {
  const to = path.join(run.folder, 'backup')
  const told = { SECRET_KEY: testSecretKey, DATA_DIR: `${run.folder}/data`, ...env }
  await runNode('backup', ['--logical', '--to', to], told, folder)
  const names = await readdir(to)
  return path.join(to, names.toSorted().at(-1)!)
}

/**
 * Looks whether an installation is whole, by a backup of its rows that is restored and checked: counts, sealed texts, security log,
 * files, books.
 * @param folder where the programs that look were built to
 */
export async function expectWhole(run: Trial, env: Record<string, string>, folder?: string): Promise<void> {
  const file = await backUpRows(run, env, folder)
  const told = await runNode('restore', ['--check', '--json', file], { SECRET_KEY: testSecretKey, ...env }, folder)
  const { findings } = JSON.parse(told.trim().split('\n').at(-1)!) as { findings: Finding[] }
  expect(findings.filter(one => !one.isRight)).toEqual([])
  run.figure('checked', findings.map(({ says }) => says).join('; '))
}
