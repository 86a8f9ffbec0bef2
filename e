usage: against [-h]
               [--only {engine,clusters,month,sweeps,slots,readers,store,planning} [{engine,clusters,month,sweeps,slots,readers,store,planning} ...]]
               [--rounds ROUNDS] [--build BUILD] [--write WRITE]
               commit
against: error: argument --only: invalid choice: 'nothing' (choose from 'engine', 'clusters', 'month', 'sweeps', 'slots', 'readers', 'store', 'planning')
