declare module 'virtual:form-validators' {
  import type { ValidatorFunctions } from '@rjsf/validator-ajv8'
  /** Loads the compiled validators of a resource's form. */
  export const loaders: Readonly<Record<string, () => Promise<ValidatorFunctions>>>
}
