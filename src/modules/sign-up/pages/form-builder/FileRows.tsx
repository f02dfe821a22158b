import { useState } from 'react'
import { callOf, type Resource } from '#engine'
import { examsignfiles } from '#resources/exams/examsignfiles'
import ListScreen from '../../../../screens/ListScreen.tsx'
import { useMay } from '../../../../screens/may.ts'
import type { FormItem } from '../../../exams/contract.ts'
import { ConditionDialog, choiceSources, conditionSources } from './ConditionDialog.tsx'

const resource = examsignfiles as Resource

interface Asked {
  row: { id: string; name: string; showWhen: Record<string, string[]> | '' }
  reload: () => void
}

/** The files an exam asks for, as the generated list of that exam, and from whom. */
export function FileRows(props: { examId: string; items: readonly FormItem[]; onRead: () => void }) {
  const { examId, items, onRead } = props
  const may = useMay(resource)
  const [asked, ask] = useState<Asked>()
  return (
    <>
      <ListScreen
        resource={resource}
        filter={{ examId }}
        embedded
        onRead={onRead}
        slots={{
          rowButtons: ({ id = '', fileName, showWhen }, reload) =>
            may('edit')
              ? [
                  {
                    key: 'condition',
                    label: '条件设置',
                    run: () =>
                      ask({
                        reload,
                        row: { id, name: String(fileName), showWhen: showWhen as Asked['row']['showWhen'] },
                      }),
                  },
                ]
              : [],
        }}
      />
      {asked && (
        <ConditionDialog
          saving={callOf(examsignfiles, 'submit')}
          row={asked.row}
          sources={[...choiceSources, ...conditionSources(items)]}
          onClose={() => {
            asked.reload()
            ask(undefined)
          }}
        />
      )}
    </>
  )
}
