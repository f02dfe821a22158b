import { Select, TreeSelect } from 'antd'
import { useEffect, useState } from 'react'
import { useT } from '../i18n.ts'
import { type RefOption, resourceOf, useRefOptions } from './ref-options.ts'

/** What a reference select is given. Several values are comma-joined, as on the wire. */
export interface RefSelectProps {
  /** Name of the entity referred to. */
  entity: string
  value: string | undefined
  onChange: (value: string | undefined) => void
  /** Words of the value known from the row (`<field>Name`), shown until the choices are loaded. */
  label?: string
  multiple?: boolean
  /** Fixed narrowing of the choices, for example `{ examId }`. */
  params?: Readonly<Record<string, unknown>>
  id?: string
  disabled?: boolean
  status?: 'error'
  placeholder?: string
  onBlur?: () => void
}

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

const splitValue = (value: string | undefined): string[] => (value ? value.split(',') : [])
const joinValue = (value: string | string[] | undefined | null): string | undefined =>
  (Array.isArray(value) ? value.join(',') : value) || undefined

/** The choices, with the chosen ones in front that a page of choices does not hold. */
function withChosen(options: readonly RefOption[], value: string | undefined, label: string | undefined): RefOption[] {
  const labels = label?.split(/[,、]/) ?? []
  const missing = splitValue(value)
    .map((one, at) => ({ value: one, label: labels[at] || one }))
    .filter(one => !options.some(option => option.value === one.value))
  return [...missing, ...options]
}

function labelsOf(chosen: readonly RefOption[], value: string | undefined): string {
  return splitValue(value)
    .map(one => chosen.find(option => option.value === one)?.label ?? one)
    .join(',')
}

function common(props: RefSelectProps, t: (text: string) => string) {
  const { id, disabled, status, onBlur, placeholder, multiple } = props
  const value = multiple ? splitValue(props.value) : props.value || undefined
  return {
    id,
    disabled,
    status,
    onBlur,
    value,
    allowClear: true,
    style: { width: '100%' },
    placeholder: placeholder ?? t('请选择'),
    ...(multiple && { maxTagCount: 'responsive' as const }),
    onChange: (next: string | string[] | undefined | null) => props.onChange(joinValue(next)),
  }
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
      {...common(props, t)}
      mode={props.multiple ? 'multiple' : undefined}
      showSearch={{ filterOption: false, onSearch: setTyped }}
      loading={isFetching}
      options={withChosen(known, props.value, props.label ?? labelsOf(chosen, props.value))}
      notFoundContent={isFetching ? t('加载中') : t('没有可选的数据')}
      onOpenChange={open => open && setOpened(true)}
    />
  )
}

function DeepSelect(props: RefSelectProps) {
  const t = useT()
  const [opened, setOpened] = useState(false)
  const needed = opened || (Boolean(props.value) && !props.label)
  const { data, isFetching } = useRefOptions(props.entity, { params: props.params, enabled: needed })
  const treeData = data ?? withChosen([], props.value, props.label)
  return (
    <TreeSelect
      {...common(props, t)}
      treeData={treeData}
      fieldNames={{ label: 'label', value: 'value', children: 'children' }}
      showSearch={{ treeNodeFilterProp: 'label' }}
      multiple={props.multiple}
      treeCheckable={props.multiple}
      showCheckedStrategy={TreeSelect.SHOW_ALL}
      treeDefaultExpandAll
      loading={isFetching}
      notFoundContent={isFetching ? t('加载中') : t('没有可选的数据')}
      onOpenChange={open => open && setOpened(true)}
    />
  )
}

/** One or several rows of another resource, found by typing; a tree where that resource is one. */
export function RefSelect(props: RefSelectProps) {
  return resourceOf(props.entity)?.tree ? <DeepSelect {...props} /> : <FlatSelect {...props} />
}
