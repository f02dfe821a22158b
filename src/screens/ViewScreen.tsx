import { Segmented } from 'antd'
import { useState } from 'react'
import type { View } from '#engine'
import { DictText } from './fields/DictText.tsx'
import ListScreen from './ListScreen.tsx'

/** A further screen on the rows of a resource: its list, with one value of a state at a time where it has tabs. */
export default function ViewScreen({ resource }: { resource: View }) {
  const { name, tabs } = resource.view
  const [shown, show] = useState<string>(() => {
    const asked = new URLSearchParams(location.search).get(tabs?.field ?? '')
    const known = tabs?.values.map(String) ?? []
    return known.find(value => value === asked) ?? known[0] ?? ''
  })
  if (!tabs) return <ListScreen resource={resource} filter={{ view: name }} />
  const { field, values } = tabs
  const code = resource.entity.properties[field]?.dict ?? ''
  const head = (
    <Segmented
      style={{ marginBottom: 16 }}
      value={shown}
      onChange={value => show(String(value))}
      options={values.map(value => ({ value: String(value), label: <DictText code={code} value={value} /> }))}
    />
  )
  return <ListScreen key={shown} resource={resource} filter={{ view: name, [field]: shown }} slots={{ head }} />
}
