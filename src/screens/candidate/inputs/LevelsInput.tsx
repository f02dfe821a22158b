import { useQueries } from '@tanstack/react-query'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import type { DictEntry } from '../../../engine/form-field.ts'
import { call } from '../../../platform/http/browser/call.ts'
import { ApiError } from '../../../platform/http/browser/http.ts'
import { useT } from '../../../platform/i18n/i18n.ts'
import { regionNodes } from '../../contract.ts'
import { aria, type InputProps, listIn } from './props.ts'

type Level = readonly Pick<DictEntry, 'key' | 'value'>[]

/** A path down a tree, one choice for each level; choosing again forgets what is below. */
function Levels(props: InputProps & { levels: readonly Level[]; names: readonly string[] }): ReactNode {
  const t = useT()
  const { id, field, value, onChange, disabled, levels, names } = props
  const path = listIn(value)
  return (
    <div className="in-levels">
      {levels.map((level, at) => (
        <select
          // A level is known by its depth: it is the same control whatever is chosen above.
          key={names[at] ?? String(at)}
          id={at === 0 ? id : undefined}
          className="in"
          aria-label={`${t(field.title)} ${t(names[at] ?? '请选择')}`}
          value={path[at] ?? ''}
          disabled={disabled}
          onChange={event => onChange([...path.slice(0, at), event.target.value].filter(Boolean))}
          {...aria(props)}
        >
          <option value="">{t(names[at] ?? '请选择')}</option>
          {level.map(one => (
            <option key={one.key} value={one.key}>
              {one.value}
            </option>
          ))}
        </select>
      ))}
    </div>
  )
}

/** A path down a dictionary. */
export function CascadeInput(props: InputProps): ReactNode {
  const levels: (readonly DictEntry[])[] = []
  let entries = props.field.dict ? props.dicts[props.field.dict] : undefined
  for (let at = 0; entries?.length; at++) {
    levels.push(entries)
    entries = entries.find(one => one.key === listIn(props.value)[at])?.children
  }
  return <Levels {...props} levels={levels} names={[]} />
}

/** Code of the country, above the provinces. */
const COUNTRY = '00'
const REGION_NAMES = ['省', '市', '区县']

async function regionsBelow(parentCode: string): Promise<Level> {
  const nodes = await call(regionNodes, { parentCode }, { pass: 'all' })
  return nodes.map(node => ({ key: node.id, value: node.title }))
}

/** The regions below each step of a path, the provinces first, and what could not be had. Asked for once; every field shares them. */
function useRegions(path: readonly string[]) {
  const parents = [COUNTRY, ...path.slice(0, REGION_NAMES.length - 1)]
  return useQueries({
    queries: parents.map(parent => ({
      queryKey: ['regions', parent],
      queryFn: () => regionsBelow(parent),
      staleTime: Number.POSITIVE_INFINITY,
      retry: false,
      // Without a network it fails at once instead of waiting for one.
      networkMode: 'always' as const,
    })),
    combine: answers => ({
      levels: answers.map((answer): Level => answer.data ?? []),
      failed: answers.filter(answer => answer.isError),
    }),
  })
}

/** A region, chosen level by level, or at once the one that the number of the person's ID card begins with. */
export function RegionInput(props: InputProps): ReactNode {
  const t = useT()
  const { value, onChange, disabled, home = [] } = props
  const { levels, failed } = useRegions(listIn(value))
  const names = useRegionNames(listIn(value).length === 0 ? home : [])
  const [first] = failed
  return (
    <>
      {names.length > 0 && !disabled && (
        <Button onClick={() => onChange([...home])}>
          {t('与证件号码一致：{{place}}', { place: names.join(' ') })}
        </Button>
      )}
      <Levels {...props} levels={levels.filter((level, at) => at === 0 || level.length > 0)} names={REGION_NAMES} />
      {first && (
        <p className="in-problem" role="alert">
          {first.error instanceof ApiError ? first.error.message : t('网络不通，请检查网络后重试')}{' '}
          <Button size="small" onClick={() => failed.forEach(one => void one.refetch())}>
            {t('重试')}
          </Button>
        </p>
      )}
    </>
  )
}

/** The names along a path of regions; none where one of them is not known, as a district that is no more. */
function useRegionNames(path: readonly string[]): readonly string[] {
  const { levels } = useRegions(path)
  const names = path.map((code, at) => levels[at]?.find(one => one.key === code)?.value ?? '')
  return names.every(Boolean) ? names : []
}

/** A region's path in words. */
export function RegionText({ path }: { path: readonly string[] }): ReactNode {
  const { levels } = useRegions(path)
  return path.map((code, at) => levels[at]?.find(one => one.key === code)?.value ?? code).join(' ')
}
