import { Select } from 'antd'
import { lazy, Suspense, useEffect, useState } from 'react'
import { noParent } from '#engine'
import { useT } from '../../platform/i18n/i18n.ts'
import { resourceOf, useRefOptions } from './ref-options.ts'
import { labelsOf, type RefSelectProps, selectProps, withChosen } from './ref-props.ts'
import { shownName } from './shown-name.ts'

const TreeRefSelect = lazy(() => import('./TreeRefSelect.tsx'))

/** Milliseconds of silence before what was typed is asked for. */
const PAUSE = 250

function usePaused(text: string): string {
  const [paused, setPaused] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), PAUSE)
    return () => clearTimeout(timer)
  }, [text])
  return paused
}

function FlatSelect(props: RefSelectProps) {
  const t = useT()
  const [typed, setTyped] = useState('')
  const [opened, setOpened] = useState(false)
  const keyword = usePaused(typed)
  const { data = [], isFetching } = useRefOptions(props.entity, { keyword, params: props.params, enabled: opened })
  const nameless = Boolean(props.value) && !props.label
  const { data: chosen = [] } = useRefOptions(props.entity, { ids: props.value, enabled: nameless })
  const known = data.length ? data : chosen
  return (
    <Select
      {...selectProps(props, t)}
      mode={props.multiple ? 'multiple' : undefined}
      showSearch={{ filterOption: false, onSearch: setTyped }}
      loading={isFetching}
      options={withChosen(known, props.value, props.label ?? labelsOf(chosen, props.value))}
      notFoundContent={isFetching ? t('加载中') : t('没有可选的数据')}
      onOpenChange={open => open && setOpened(true)}
    />
  )
}

/** One or several rows of another resource, found by typing; a tree where that resource is one. */
export function RefSelect(given: RefSelectProps) {
  useT()
  const { entity, label } = given
  const value = given.value === noParent ? undefined : given.value
  const props = { ...given, value, ...(label && { label: shownName(entity, label) }) }
  if (!resourceOf(props.entity)?.tree) return <FlatSelect {...props} />
  return (
    <Suspense fallback={<Select id={props.id} disabled loading style={{ width: '100%' }} />}>
      <TreeRefSelect {...props} />
    </Suspense>
  )
}
