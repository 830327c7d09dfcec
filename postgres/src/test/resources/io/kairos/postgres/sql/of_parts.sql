select {columns} from t {chosen}
