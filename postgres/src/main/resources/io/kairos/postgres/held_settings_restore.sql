-- Gives an application's connection the settings back that held_settings.sql has read. No locks; one row.
select count(set_config(key, value, false)) from json_each_text(:settings::json)
