import { type ComponentProps, lazy, type ReactNode, Suspense } from 'react'

const FormDialog = lazy(() => import('../FormDialog.tsx'))

/** Some fields of a row, and what they are called together. */
export type RowPart = NonNullable<ComponentProps<typeof FormDialog>['only']>

interface Props extends Pick<ComponentProps<typeof FormDialog>, 'resource' | 'row'> {
  /** What is edited; the dialog is closed without one. */
  part: RowPart | undefined
  onClose: () => void
  reload: () => void
}

/** Edits some fields of the row of a workspace, which is read again when they are saved. */
export function PartDialog({ resource, row, part, onClose, reload }: Props): ReactNode {
  return (
    <Suspense fallback={null}>
      {part && (
        <FormDialog
          resource={resource}
          row={row}
          only={part}
          onClose={onClose}
          onSaved={() => {
            onClose()
            reload()
          }}
        />
      )}
    </Suspense>
  )
}
